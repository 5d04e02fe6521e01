/**
 * Whether this code runs in workerd, the runtime of Cloudflare Workers.
 *
 * There, each request has its own context for input and output. If the caller disconnects, the context
 * ends, and no `finally` of it runs. So a request must not wait for a promise of another one: it could
 * wait forever.
 *
 * @see https://developers.cloudflare.com/workers/observability/errors/ ("on behalf of a different request")
 */
export function runsInWorkers(): boolean {
	const { navigator } = globalThis as { navigator?: { userAgent?: string } };
	return navigator?.userAgent === "Cloudflare-Workers";
}
