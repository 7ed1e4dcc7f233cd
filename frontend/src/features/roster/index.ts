export { Roster, type RosterProps } from './roster'
