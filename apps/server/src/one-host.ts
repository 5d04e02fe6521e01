import type { MiddlewareHandler } from "hono";

/**
 * A request line may name a host of its own, `POST http://auth.example.com/… HTTP/1.1`. The tenant is
 * found by that one, and links in mails are made with the one in `Host`: they must be the same, or
 * whoever asks for a mail would choose where its token goes
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2).
 */
export const requireOneHost: MiddlewareHandler = async (c, next) => {
	const host = c.req.header("host");
	const { protocol, origin } = new URL(c.req.url);
	if (host !== undefined && addressOf(`${protocol}//${host}`) !== `${origin}/`) {
		const message = "The Host header names another host than the address of the request";
		return c.json({ code: "HOST_MISMATCH", message }, 400);
	}
	await next();
};

/** Compared as a whole: a user, a path or a query in the header is no part of a host. */
const addressOf = (url: string) => (URL.canParse(url) ? new URL(url).href : null);
