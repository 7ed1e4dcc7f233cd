import '@/ui/tokens.css'
import { loadSaved } from '@/core/saved'
import { chooseLanguage, speak } from '@/core/texts/catalogue'

// The language comes first: the page's modules take their texts as they are evaluated. Its code is on its way meanwhile
// (vite.config.ts).
const language = chooseLanguage(loadSaved(localStorage).preferences.language, navigator.languages)
document.documentElement.lang = language
void speak(language).then(() => import('./page'))
