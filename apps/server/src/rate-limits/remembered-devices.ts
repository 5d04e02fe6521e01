import { createAuthMiddleware } from "better-auth/api";
import { defineTenantPlugin, getCurrentTenantId } from "better-auth-tenant";
import { currentRequest } from "../monitoring/request-record";
import { rememberDevice } from "./known-callers";
import { type LimitedKind, limitedKindOf } from "./limited-paths";

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type NewSession = NonNullable<HookContext["context"]["newSession"]>;

/** Called when a user of a tenant has signed in at a device where the user has not signed in before. */
export type OnNewDevice = (signIn: NewSession) => Promise<void>;

/** A sign-up too: the next sign-in comes from the same browser. */
const SIGNS_IN = new Set<LimitedKind | null>(["sign-in", "second-factor", "sign-up"]);

/** The last step of a sign-up. The link may be opened at another device. */
const ENDS_SIGN_UP = new Set(["/verify-email"]);

/**
 * Remembers the browsers in which a user has signed in. Add it after the two-factor plugin, which takes back
 * the session of somebody who has not entered a code yet: a password alone makes no known device.
 */
export const rememberedDevices = (onNewDevice: OnNewDevice | null) =>
	defineTenantPlugin({
		id: "remembered-devices",
		init: () => ({ options: { databaseHooks: { user: { create: { after: noteUser } } } } }),
		hooks: {
			after: [
				{
					matcher: () => currentRequest() !== undefined,
					handler: createAuthMiddleware((ctx) => rememberSignIn(ctx, onNewDevice)),
				},
			],
		},
		tenant: {
			session: {
				after: async ({ userId }) => {
					const request = currentRequest();
					if (request) request.newSessionOf = userId;
				},
			},
		},
	});

async function noteUser({ id }: { id: string }): Promise<void> {
	currentRequest()?.newUserIds.add(id);
}

async function rememberSignIn(ctx: HookContext, onNewDevice: OnNewDevice | null): Promise<void> {
	const request = currentRequest();
	const { newSession } = ctx.context;
	// The device of somebody who impersonates a user is not the user's.
	if (!request || !newSession || newSession.session.tenantImpersonator) return;
	const { user } = newSession;
	// Better Auth also calls a session new that it only renews. An operator's session is of no tenant.
	const isNew = request.newSessionOf === user.id;
	if (!isNew && !SIGNS_IN.has(limitedKindOf(ctx.path))) return;
	const tenantId = (await getCurrentTenantId()) ?? "";
	const account = { tenantId, email: user.email.toLowerCase() };
	const isKnown = await rememberDevice(ctx, account, user.id);
	// An endpoint inside of another one has hooks too.
	request.newSessionOf = null;
	if (isKnown || !isNew || !onNewDevice) return;
	const isSignUp = request.newUserIds.has(user.id) || ENDS_SIGN_UP.has(ctx.path);
	if (!isSignUp && !replacesSession(ctx, newSession)) await onNewDevice(newSession);
}

/** Somebody who is signed in gets another session, for example with a new password. */
function replacesSession({ context }: HookContext, { session, user }: NewSession): boolean {
	const presented = context.session;
	return presented?.user.id === user.id && presented.session.token !== session.token;
}
