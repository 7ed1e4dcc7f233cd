import { later } from '@/ui'

/** Finding text in a channel. */
export const SearchBar = later(() => import('./search-bar'))
