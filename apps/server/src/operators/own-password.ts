import type { GenericEndpointContext } from "@better-auth/core";
import { runOnPlatform } from "better-auth-tenant";
import { accountStore } from "./account-store";
import { operatorError } from "./errors";

/** Makes sure that an operator knows their own password, and not only has the session. */
export async function requirePasswordOf(
	{ context }: Pick<GenericEndpointContext, "context">,
	operatorId: string,
	typed: string,
): Promise<void> {
	const hash = await runOnPlatform(() => accountStore(context, operatorId).findPasswordHash());
	const isRight = hash && (await context.password.verify({ hash, password: typed }));
	if (!isRight) throw operatorError("INVALID_PASSWORD");
}
