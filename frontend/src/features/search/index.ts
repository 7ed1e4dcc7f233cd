import { later } from '@/ui'

/** Finding text in a channel. */
export const SearchBar = later(() => import('./search-bar'))
/** Finding text in all channels and workbenches. */
export const SearchEverywhere = later(() => import('./everywhere'))
