import { auth } from "../../../../auth";
import type { RequestHandler } from "./$types";

const handle: RequestHandler = ({ request, getClientAddress }) => {
	const headers = new Headers(request.headers);
	// Rate limits count addresses. What a client sends in this header does not count.
	headers.set("x-forwarded-for", getClientAddress());
	return auth.handler(new Request(request, { headers }));
};

export { handle as GET, handle as POST };
