import { keyNames, texts, useHearth, useSelect, type Preferences as Values, type Size, type Theme } from '@/core'
import { NoticeSettings } from '@/features/notices'
import { Button, Choice } from '@/ui'

const themes: Theme[] = ['system', 'light', 'dark']
const sizes: Size[] = ['compact', 'normal', 'large']

/** AppSettings is how the page looks and behaves for this person, in this browser. What is chosen holds at once. */
export function AppSettings({ onGo }: { onGo: (command: 'help' | 'logs' | 'report') => void }) {
  const hearth = useHearth()
  const { theme, size, enterSends, welcomed } = useSelect((s) => s.preferences)
  const set = (preferences: Partial<Values>) => hearth.store.dispatch({ type: 'preferences', preferences })
  const enter = keyNames('enter').join('')
  return (
    <div className="flex flex-col gap-5">
      <Choice label={texts.theme.label} value={theme} options={themes.map((value) => ({ value, text: texts.theme[value] }))} onChange={(value) => set({ theme: value })} />
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
