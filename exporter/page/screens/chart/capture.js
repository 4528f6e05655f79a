// A capture of what is shown: the raw samples of its countersets, as /api/v1/recording has them.

import {apiUrl, ask} from '../../data/api.js';
import {save} from '../../parts/saved.js';
import {apiTime} from '../../text/times.js';

/**
 * Throws an ApiError if the exporter refuses, as while it makes another one.
 * @param {{countersets: string[], from: number, to: number}} shown in milliseconds
 * @param {AbortSignal} signal
 */
export async function saveCapture({countersets, from, to}, signal) {
  const url = apiUrl('recording', {since: apiTime(from), until: apiTime(to), counterset: countersets});
  const response = await ask(url, {signal, patience: Infinity});
  const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'recording.zip';
  save(await response.blob(), name);
}
