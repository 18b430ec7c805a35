/** What carries requests to the engine and brings its events: a server, or a worker beside. */

import * as server from "./server.js";
import * as worker from "./worker.js";

/**
 * `ask` answers with the status and the text; `events` gives what `EventSource` does.
 * @typedef {{ask: (method: string, path: string, body?: object) => Promise<Answer>,
 *   events: (session: string) => Events}} Carrier
 */
/** @typedef {{status: number, text: string}} Answer */
/** @typedef {EventTarget & {close: () => void, readyState: number}} Events */

/** A page that was built to be served as files alone says so. */
const isStatic = document.querySelector('meta[name="playtree"][content="static"]') !== null;

/** @type {Carrier} */
export const carrier = isStatic ? worker : server;
