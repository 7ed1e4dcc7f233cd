export interface SlashOptionProps {
  name: string
  /** What may follow the name. */
  hint?: string
  description: string
  /** Whose it is, where it could be another's. */
  whose?: string | undefined
}

/** SlashOption is one command in the list. */
export function SlashOption({ name, hint = '', description, whose }: SlashOptionProps) {
  return (
    <span className="flex min-w-0 flex-1 flex-col py-1 leading-4.5">
      <span className="flex min-w-0 gap-2">
        <span className="shrink-0 font-medium">/{name}</span>
        <span className="min-w-0 flex-1 truncate text-soft">{hint}</span>
        {whose !== undefined && <span className="max-w-32 shrink-0 truncate text-small text-soft" dir="auto">@{whose}</span>}
      </span>
      <span className="line-clamp-2 text-small text-soft" dir="auto">{description}</span>
    </span>
  )
}
