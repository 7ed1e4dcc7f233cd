import { chooseLanguage, keyNames, languages, locale, texts, useHearth, useSelect, type LanguageChoice, type Preferences as Values, type Size, type Theme } from '@/core'
import { WindowSettings } from '@/features/desk'
import { NoticeSettings } from '@/features/notices'
import { Button, Choice } from '@/ui'

const themes: Theme[] = ['system', 'light', 'dark']
const sizes: Size[] = ['compact', 'normal', 'large']

/** AppSettings is how the page looks and behaves for this person, in this browser. What is chosen holds at once, but for the language. */
export function AppSettings({ onGo }: { onGo: (command: 'help' | 'logs' | 'report') => void }) {
  const hearth = useHearth()
  const { theme, size, enterSends, welcomed } = useSelect((s) => s.preferences)
  const set = (preferences: Partial<Values>) => hearth.store.dispatch({ type: 'preferences', preferences })
  const enter = keyNames('enter').join('')
  return (
    <div className="flex flex-col gap-5">
      <Choice label={texts.theme.label} value={theme} options={themes.map((value) => ({ value, text: texts.theme[value] }))} onChange={(value) => set({ theme: value })} />
      <Language onSet={set} />
      <Choice label={texts.preferences.size} value={size} options={sizes.map((value) => ({ value, text: texts.preferences.sizes[value] }))} onChange={(value) => set({ size: value })} />
      <Choice
        label={texts.preferences.send}
        value={enterSends ? 'enter' : 'mod'}
        options={[
          { value: 'enter', text: texts.preferences.enterSends(enter), hint: texts.preferences.enterSendsHint },
          { value: 'mod', text: texts.preferences.modSends(keyNames('mod+enter').join(' ')), hint: texts.preferences.modSendsHint },
        ]}
        onChange={(value) => set({ enterSends: value === 'enter' })}
      />
      <NoticeSettings />
      <WindowSettings />
      <div role="group" aria-label={texts.preferences.trouble} className="flex flex-col gap-1">
        <p className="mb-1 font-medium">{texts.preferences.trouble}</p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onGo('logs')}>{texts.commands.names.logs}</Button>
          <Button onClick={() => onGo('report')}>{texts.commands.names.report}</Button>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onGo('help')}>{texts.preferences.keys}</Button>
        {welcomed && <Button onClick={() => set({ welcomed: false })}>{texts.preferences.welcome}</Button>}
      </div>
    </div>
  )
}

const speakable: LanguageChoice[] = ['system', ...languages]

/**
 * Language is what the page says from its next start on. Nothing is loaded anew before the person says so: a choice is made by
 * arrow keys too, and what has not gone out yet would be lost.
 */
function Language({ onSet }: { onSet: (preferences: Partial<Values>) => void }) {
  const language = useSelect((s) => s.preferences.language)
  const unsent = useSelect((s) => Object.keys(s.pending).length > 0)
  const { preferences } = texts
  return (
    <div>
      <Choice
        label={preferences.language}
        value={language}
        options={speakable.map((value) => ({ value, text: preferences.languages[value], ...(value === 'system' ? {} : { lang: value }) }))}
        onChange={(value) => onSet({ language: value })}
      />
      <div role="status">
        {chooseLanguage(language, navigator.languages) !== locale && (
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
            <p className="min-w-0 flex-1 basis-48 text-small text-soft">{unsent ? preferences.languageUnsent : preferences.languageHint}</p>
            {/* What is saved is written as the page goes (app/hearth.ts). */}
            <Button size="sm" disabled={unsent} onClick={() => location.reload()}>{texts.app.reload}</Button>
          </div>
        )}
      </div>
    </div>
  )
}
