import { Settings2 } from 'lucide-react'
import { texts, useHearth, useSelect, type Preferences, type Theme } from '@/core'
import { IconButton, Menu, MenuCheck, MenuChoice, MenuLine } from '@/ui'

const themes: Theme[] = ['system', 'light', 'dark']

/** ListFooter has how the page itself behaves. */
export function ListFooter() {
  const hearth = useHearth()
  const { theme, enterSends } = useSelect((s) => s.preferences)
  const set = (preferences: Partial<Preferences>) => hearth.store.dispatch({ type: 'preferences', preferences })
  return (
    <div className="flex h-11 shrink-0 items-center px-2">
      <Menu
        label={texts.preferences.title}
        trigger={
          <IconButton label={texts.preferences.title}>
            <Settings2 size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuChoice
          label={texts.theme.label}
          value={theme}
          options={themes.map((value) => ({ value, text: texts.theme[value] }))}
          onChange={(value) => set({ theme: value })}
        />
        <MenuLine />
        <MenuCheck checked={enterSends} onChange={(value) => set({ enterSends: value })}>
          {texts.preferences.enterSends}
        </MenuCheck>
      </Menu>
    </div>
  )
}
