/** What makes an element a row that the arrow keys move between: Tab stops at one of them. */
export interface RowFocus {
  tabIndex: 0 | -1
  'data-key': string
}
