import { auth } from "../../../auth";

export default defineEventHandler((event) => {
	const request = toWebRequest(event);
	const headers = new Headers(request.headers);
	// Rate limits count addresses. What a client sends in this header does not count. Behind a proxy, use
	// the header that the proxy sets.
	headers.set("x-forwarded-for", getRequestIP(event) ?? "");
	return auth.handler(new Request(request, { headers }));
});
