export { AgentCommands } from './agent-commands'
export { Roster, type RosterProps } from './roster'
