import { lazy, Suspense } from 'react'
import type { Permission } from '@/api'
import { countHidden, texts } from '@/core'
import { CodeBlock } from '@/features/markdown'
import { Spinner } from '@/ui'
import { HiddenNote, Revealed } from '@/features/diff'
import { wantedOf, within } from './wanted-of'

const ChangeView = lazy(() => import('./change-view'))

/** Wanted shows exactly what a tool would get: a command, a change of a file, or its fields one by one. */
export function Wanted({ permission }: { permission: Permission }) {
  const wanted = wantedOf(permission)
  switch (wanted.kind) {
    case 'command':
      return (
        <div className="flex flex-col gap-1">
          {wanted.description && <p className="text-soft" dir="auto">{wanted.description}</p>}
          <Command command={wanted.command} />
        </div>
      )
    case 'change':
      return (
        <div className="flex flex-col gap-1">
          <p className="font-mono text-[0.8125rem] break-words" dir="ltr">
            <Revealed text={within(wanted.change.path, permission.workspace)} />
            {wanted.change.whole && <span className="font-sans text-soft"> · {texts.permission.newFile}</span>}
          </p>
          <Suspense fallback={<Spinner />}>
            <ChangeView change={wanted.change} />
          </Suspense>
        </div>
      )
    case 'fields':
      return (
        <Box label={texts.permission.input}>
          {wanted.fields.map(({ name, value }) => (
            <div key={name} className="flex gap-3">
              {name && <span className="shrink-0 text-soft">{name}</span>}
              <span className="min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap">
                <Revealed text={value} />
              </span>
            </div>
          ))}
        </Box>
      )
  }
}

/** Command is a shell command: coloured, and whole, its long lines broken so that no end of one is out of sight. */
function Command({ command }: { command: string }) {
  if (countHidden(command) === 0) {
    return (
      <div dir="ltr" className="[&_pre]:max-h-[min(15rem,32vh)] [&_pre]:overflow-auto [&_pre]:[overflow-wrap:anywhere] [&_pre]:whitespace-pre-wrap [&>div]:my-0">
        <CodeBlock code={command} language="bash" settled />
      </div>
    )
  }
  return (
    <>
      <Box label={texts.permission.command}>
        <span className="[overflow-wrap:anywhere] whitespace-pre-wrap">
          <Revealed text={command} />
        </span>
      </Box>
      <HiddenNote text={command} />
    </>
  )
}

function Box({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div
      role="region"
      aria-label={label}
      // It may be longer than its place, so it has to be reachable by keyboard.
      tabIndex={0}
      dir="ltr"
      className="max-h-[min(15rem,32vh)] overflow-auto rounded-md border border-line bg-side px-3 py-2 font-mono text-[0.8125rem] leading-5"
    >
      {children}
    </div>
  )
}
