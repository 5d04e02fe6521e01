import { createFileRoute } from "@tanstack/react-router";
import { getRequestIP } from "@tanstack/react-start/server";
import { fastHandler } from "better-auth-tenant";
import { auth } from "../../../auth";

const handler = fastHandler(auth);

function handle({ request }: { request: Request }) {
	// Rate limits count addresses. What a client sends in this header does not count. Behind a proxy, use
	// the header that the proxy sets.
	request.headers.set("x-forwarded-for", getRequestIP() ?? "");
	return handler(request);
}

export const Route = createFileRoute("/api/auth/$")({
	server: { handlers: { GET: handle, POST: handle } },
});
