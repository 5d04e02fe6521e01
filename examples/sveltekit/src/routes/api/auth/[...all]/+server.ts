import { fastHandler } from "better-auth-tenant";
import { auth } from "../../../../auth";
import type { RequestHandler } from "./$types";

const handler = fastHandler(auth);

const handle: RequestHandler = ({ request, getClientAddress }) => {
	const headers = new Headers(request.headers);
	// Rate limits count addresses. What a client sends in this header does not count.
	headers.set("x-forwarded-for", getClientAddress());
	return handler(new Request(request, { headers }));
};

export { handle as GET, handle as POST };
