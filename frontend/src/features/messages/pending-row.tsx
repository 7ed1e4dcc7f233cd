import type { Pending } from '@/core'
import { texts, useHearth } from '@/core'
import { MessageBody } from '@/features/markdown'
import type { RowFocus } from '@/features/run'
import { Avatar, Button, cx, ErrorNote } from '@/ui'

/** PendingRow is a message that the server has not confirmed: shown as it will be, and kept with what went wrong. */
export function PendingRow({ post, head, handles, focus }: { post: Pending; head: boolean; handles: readonly string[]; focus?: RowFocus }) {
  const hearth = useHearth()
  return (
    <article {...focus} aria-label={texts.common.you} aria-busy={!post.problem} className={cx('column flex gap-3 -outline-offset-2', head ? 'pt-2 pb-0.5' : 'py-0.5')}>
      {head ? <Avatar name={texts.common.you} /> : <span aria-hidden className="w-7 shrink-0" />}
      <div className="min-w-0 flex-1">
        {head && (
          <div className="flex items-baseline gap-2">
            <span className="font-semibold">{texts.common.you}</span>
            {!post.problem && <span className="animate-late text-small text-soft">{texts.messages.sending}</span>}
          </div>
        )}
        <MessageBody id={post.id} text={post.body} channelId={post.channelId} handles={handles} />
        {post.problem && (
          <ErrorNote
            className="mt-1"
            action={
              <span className="flex gap-1">
                <Button size="sm" onClick={() => void hearth.postAgain(post.id)}>
                  {texts.messages.sendAgain}
                </Button>
                <Button size="sm" tone="quiet" onClick={() => hearth.store.dispatch({ type: 'post.dropped', id: post.id })}>
                  {texts.messages.discard}
                </Button>
              </span>
            }
          >
            <span className="font-medium">{texts.messages.failed}</span> {post.problem.message}
          </ErrorNote>
        )}
      </div>
    </article>
  )
}
