import { ProblemError, toProblem, type ProblemTexts } from './problem'

/** A file as the server has stored it in a channel's folder. */
export interface StoredFile {
  /** Absolute. */
  path: string
  /** To the channel's folder. */
  relative: string
  name: string
  /** In bytes. */
  size: number
  media_type: string
}

export interface UploadOptions {
  /** Told the share that has gone out, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * upload sends bytes to a path and gives what the server made of them. The body is an ArrayBuffer and nothing else: a Blob or a
 * FormData as a request's body crashes the window. XMLHttpRequest, because fetch does not say how far it has come.
 */
export function upload(url: string, bytes: ArrayBuffer, texts: ProblemTexts, { onProgress, signal }: UploadOptions = {}): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const end = () => signal?.removeEventListener('abort', abort)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / Math.max(1, event.total))
    request.onload = () => {
      end()
      let body: unknown
      try {
        body = JSON.parse(request.responseText)
      } catch {
        body = undefined
      }
      if (request.status >= 200 && request.status < 300 && body) resolve(body as StoredFile)
      else reject(toProblem(body, request.status, texts))
    }
    request.onerror = () => {
      end()
      reject(new ProblemError('offline', texts.offline, 0))
    }
    request.onabort = () => {
      end()
      reject(new DOMException('aborted', 'AbortError'))
    }
    request.open('POST', url)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    signal?.addEventListener('abort', abort)
    request.send(bytes)
  })
}
