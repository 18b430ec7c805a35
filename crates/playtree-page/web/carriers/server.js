/** A server, by its paths. */

/** @import {Answer} from "./carrier.js" */

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export async function ask(method, path, body) {
  /** @type {RequestInit} */
  const options = { method, keepalive: method === "DELETE" };
  let query = "";
  if (method === "GET" && body) query = `?${new URLSearchParams(Object.entries(body))}`;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { "content-type": "application/json" };
  }
  const answer = await fetch(`api/${path}${query}`, options);
  return { status: answer.status, text: await answer.text() };
}

/** @param {string} session */
export function events(session) {
  return new EventSource(`api/sessions/${session}/events`);
}
