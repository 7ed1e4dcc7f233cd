/** What agents ask before they use a tool, and the answers. */
export { PermissionCard, type PermissionCardProps } from './permission-card'
export { PermissionStack, type PermissionStackProps } from './permission-stack'
