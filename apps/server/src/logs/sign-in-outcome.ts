import { createAuthMiddleware, isAPIError } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import { currentRequest } from "./request-record";

const signIn = /^(\/tenant)?\/sign-in\//;
const signUp = /^(\/tenant)?\/sign-up\//;
const callback = /^(\/tenant)?\/callback\//;

/** Notes on the request what became of it: whose it was, and whether somebody signed in. */
export const noteOutcome = createAuthMiddleware(async (ctx) => {
	const request = currentRequest();
	if (!request) return;
	request.tenantId = (await getCurrentTenantId()) ?? request.tenantId;
	const { path } = ctx;
	const { newSession, returned } = ctx.context;
	if (newSession && (signIn.test(path) || callback.test(path))) request.signIn = "ok";
	else if (isFailure(path, returned)) request.signIn ??= "failed";
	if (signUp.test(path) && returned && !isAPIError(returned)) request.signedUp = true;
});

function isFailure(path: string, returned: unknown): boolean {
	if (!isAPIError(returned)) return false;
	if (signIn.test(path)) return returned.statusCode >= 400 && returned.statusCode < 500;
	// A flow that fails ends in a redirect as well, which says so.
	if (!callback.test(path)) return false;
	const location = new Headers(returned.headers).get("location") ?? "";
	return returned.statusCode >= 400 || /[?&]error=/.test(location);
}
