export { PermissionCard, type PermissionCardProps } from './permission-card'
