export { Notices } from './notices'
export { NoticeOffer } from './offer'
export { NoticeSettings } from './settings'
