/** cx joins class names and leaves out what is not one. */
export const cx = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
