import { auth } from "../../../../auth";
import type { RequestHandler } from "./$types";

const handle: RequestHandler = ({ request, url, getClientAddress }) => {
	const headers = new Headers(request.headers);
	// Rate limits count addresses. What a client sends in this header does not count.
	headers.set("x-forwarded-for", getClientAddress());
	// It decides the tenant. Calls of `event.fetch` have no such header.
	headers.set("host", url.host);
	return auth.handler(new Request(request, { headers }));
};

export { handle as GET, handle as POST };
