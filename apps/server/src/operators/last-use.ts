import type { AuthContext } from "better-auth";

const MINUTE_MS = 60_000;

/** Remembers when a key or an operator was last used, at most once a minute. */
export async function recordUse(
	{ adapter, logger }: Pick<AuthContext, "adapter" | "logger">,
	model: "operator" | "operatorKey",
	{ id, lastUsedAt }: { id: string; lastUsedAt: Date | null },
): Promise<void> {
	if (lastUsedAt && Date.now() - lastUsedAt.getTime() < MINUTE_MS) return;
	try {
		const where = [{ field: "id", value: id }];
		await adapter.update({ model, where, update: { lastUsedAt: new Date() } });
	} catch (error) {
		// A read must not fail because this cannot be written.
		logger.warn("The last use of an operator or key could not be written", error);
	}
}
