import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthExtensionGrantHandler } from "@better-auth/oauth-provider";
import { APIError } from "better-auth/api";

const MODEL = "deviceCode";

type DeviceCodeRow = { status: string; userId?: string | null; sessionId?: string | null };
type SessionRow = { id: string; userId: string; createdAt: Date; expiresAt: Date };

/** What the plugin generates. Some databases fail on other characters. */
const DEVICE_CODE = /^[a-zA-Z\d]{1,191}$/;

/** Remembers the session in which a user is about to allow a device. */
export async function rememberSession(
	{ context }: GenericEndpointContext,
	{ userCode, session }: { userCode: string; session: Pick<SessionRow, "id" | "userId"> },
): Promise<void> {
	await context.adapter.updateMany({
		model: MODEL,
		where: [
			{ field: "userCode", value: userCode },
			{ field: "userId", value: session.userId },
			{ field: "status", value: "pending" },
		],
		update: { sessionId: session.id },
	});
}

/**
 * Lets the tokens of a device come from the session in which the user allowed it, as those of a sign-in do:
 * they end with it. The plugin makes tokens without a session.
 *
 * The plugin reads the code, authenticates the client, and then decides by what it has read. A code that it
 * takes for allowed is allowed here, too.
 */
export const fromApprovingSession =
	(exchange: OAuthExtensionGrantHandler): OAuthExtensionGrantHandler =>
	async (input) => {
		const { ctx, provider } = input;
		const code: unknown = ctx.body?.device_code;
		if (code && !(typeof code === "string" && DEVICE_CODE.test(code))) throw invalidGrant();
		let session: SessionRow | null = null;
		return exchange({
			...input,
			provider: {
				...provider,
				authenticateClient: async (request) => {
					const client = await provider.authenticateClient(request);
					session = await findApprovingSession(ctx, String(code));
					return client;
				},
				issueTokens: (params) => {
					if (!session) throw invalidGrant();
					const { id, createdAt } = session;
					return provider.issueTokens({ ...params, sessionId: id, authTime: createdAt });
				},
			},
		});
	};

/**
 * @returns `null` as long as nobody has allowed the device
 * @throws APIError `invalid_grant` if the session has ended, or the user is gone or disabled
 */
async function findApprovingSession(
	{ context }: GenericEndpointContext,
	code: string,
): Promise<SessionRow | null> {
	const { adapter, internalAdapter } = context;
	const row = await adapter.findOne<DeviceCodeRow>({
		model: MODEL,
		where: [{ field: "deviceCode", value: code }],
	});
	if (row?.status !== "approved") return null;
	const { userId, sessionId } = row;
	const session = sessionId
		? await adapter.findOne<SessionRow>({
				model: "session",
				where: [{ field: "id", value: sessionId }],
			})
		: null;
	const isOpen = session && session.userId === userId && session.expiresAt > new Date();
	if (!isOpen || !(await internalAdapter.findUserById(session.userId))) throw invalidGrant();
	return session;
}

const invalidGrant = () =>
	new APIError("BAD_REQUEST", {
		error: "invalid_grant",
		error_description: "The device code is not valid, or the session of the user has ended",
	});
