import { createFileRoute } from "@tanstack/react-router";
import { getRequestIP } from "@tanstack/react-start/server";
import { auth } from "../../../auth";

function handle({ request }: { request: Request }) {
	// Rate limits count addresses. What a client sends in this header does not count. Behind a proxy, use
	// the header that the proxy sets.
	request.headers.set("x-forwarded-for", getRequestIP() ?? "");
	return auth.handler(request);
}

export const Route = createFileRoute("/api/auth/$")({
	server: { handlers: { GET: handle, POST: handle } },
});
