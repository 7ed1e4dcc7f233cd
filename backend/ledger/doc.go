// Package ledger is about what agents cost: it sums what the client reports, notices when the model's cache was read less
// than it could have been and says why, and estimates what comes next. It is pure: turns in, figures out. It reads no clock,
// no disk and no price list from anywhere.
//
// # Words
//
//   - Usage is tokens as the Messages API bills them: input that is neither read from nor written to the cache, cache read,
//     cache written to live 5 minutes, cache written to live an hour, output. Thinking is part of the output.
//   - A call is one request to the Messages API, known by its message id. Its prompt is all that was sent, its context that
//     and the answer.
//   - A turn is what one run used: its calls, the client's own count, and what was known about the process then.
//   - The main thread is the agent's own conversation; subagents have theirs. What the client counted and showed as no call
//     (the end of a subagent's answer, a summary it made for itself) is beside both.
//   - A conversation is what a native session remembers. It goes on when the session is loaded into a new process, under
//     whatever id, and begins anew in a cold turn.
//   - A break is a turn whose first call on the main thread read less from the cache than the turn before had left there
//     (had read and written in its last call on the main thread). Missed are the tokens that it sent and could have read.
//   - The life of a cache entry is 5 minutes or an hour, counted from when it was last used.
//   - The line is the size of context at which a conversation is to be handed off.
//   - Rates are dollars a token by kind of token. They are fitted from the client's own figures, or from a dated table.
//   - An estimate is a figure that the client did not report. Only forecasts and rates are estimates.
//
// # Promises
//
//   - Tokens are whole numbers and are added exactly. Money is the client's own figure in dollars, rounded once, per turn
//     and model, to a billionth of a dollar (public prices are whole numbers of those per token) and from there on added
//     exactly, so no sum depends on the order.
//   - Each message id of a turn counts once, and each run once in a book. The parts of a sum add up to its total.
//   - No break is reported when nothing was missed, and each break has exactly one cause, the first in the order of Causes
//     that holds. A cause is what is known to have happened, never a guess: without evidence it is Unknown.
//   - A forecast says nothing where it knows too little. A model without rates has tokens and no money.
//   - Equal input gives equal output, also where maps are involved.
package ledger
