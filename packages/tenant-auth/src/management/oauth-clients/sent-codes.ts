import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { PLATFORM } from "../../call/context/tenant";
import { digest } from "../../database/digest";
import { keepsVerificationsInDatabase } from "../../isolation/storage";
import { letsTenantsChooseServer } from "./provider-settings";

/** Longer than providers accept a code. RFC 6749, section 4.1.2 recommends ten minutes at most. */
const LIFETIME_MS = 60 * 60 * 1000;

/**
 * Whether the code of a callback was sent to another server before, which a tenant chose.
 *
 * All tenants share the callback of a built-in provider, and for some of them, such as GitLab, a tenant
 * can choose the server. A hostile server could pass a user on to the real one, with the client of the app
 * or of another tenant and the state of its own flow ("mix-up"). The code would come back here and be sent
 * to the hostile server, whose owner could use it in a flow of their own. So these codes are remembered,
 * before they are sent, and are valid at no other server. A tenant's own provider has a callback of its own
 * instead.
 *
 * @param server that this flow sends the code to; `""` is the provider's own service
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.4
 */
export async function isCodeOfOtherServer(
	ctx: GenericEndpointContext,
	providerId: string,
	server: string,
): Promise<boolean> {
	const code: unknown = ctx.query?.code;
	if (typeof code !== "string" || !letsTenantsChooseServer(providerId)) return false;
	const sent = await findSentCode(ctx, [providerId, code]);
	if (sent.to !== undefined) return sent.to !== server;
	if (server !== "") await sent.remember(server);
	return false;
}

/**
 * Whether the code of a callback came with another state before, so in another flow. It is the same rule
 * for a callback of a plugin whose providers tenants choose freely. There the flow of a code is remembered,
 * because the server is not known yet.
 */
export async function isCodeOfOtherFlow(ctx: GenericEndpointContext): Promise<boolean> {
	const { code, state }: { code?: unknown; state?: unknown } = ctx.query ?? {};
	if (typeof code !== "string" || typeof state !== "string") return false;
	const flow = await digest(state);
	const sent = await findSentCode(ctx, [ctx.path, code]);
	if (sent.to === undefined) await sent.remember(flow);
	return sent.to !== undefined && sent.to !== flow;
}

/** Codes are remembered on the platform: every tenant must find them. */
async function findSentCode(ctx: GenericEndpointContext, name: readonly string[]) {
	const { find, create } = storeOf(ctx.context);
	const identifier = `tenant-sent-code:${await digest(JSON.stringify(name))}`;
	const onPlatform = <T>(run: () => Promise<T>) =>
		runInScope(requireInstance(ctx.context), PLATFORM, run);
	return {
		to: (await onPlatform(() => find(identifier)))?.value,
		remember: (value: string) => {
			const expiresAt = new Date(Date.now() + LIFETIME_MS);
			return onPlatform(() => create({ identifier, value, expiresAt }));
		},
	};
}

interface SentCode {
	identifier: string;
	value: string;
	expiresAt: Date;
}

/** The internal adapter needs two more statements, as it also deletes old values. `cleanUp` does that. */
function storeOf(ctx: AuthContext) {
	const { adapter, internalAdapter } = ctx;
	if (!keepsVerificationsInDatabase(ctx)) {
		return {
			find: internalAdapter.findVerificationValue,
			create: internalAdapter.createVerificationValue,
		};
	}
	const model = "verification";
	return {
		find: (identifier: string) =>
			adapter.findOne<SentCode>({ model, where: [{ field: "identifier", value: identifier }] }),
		create: (data: SentCode) => {
			const now = new Date();
			return adapter.create({ model, data: { ...data, createdAt: now, updatedAt: now } });
		},
	};
}
