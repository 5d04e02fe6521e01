import type { AuthContext } from "@better-auth/core";
import type { Verification } from "@better-auth/core/db";
import { SECOND_FACTOR } from "../call/foreign";
import { currentAdapter } from "../database/current-adapter";
import { requireStorage } from "./stored-sessions";

const { plugin, trustedDevices, trustMaxAge } = SECOND_FACTOR;

type SecondaryStorage = NonNullable<AuthContext["options"]["secondaryStorage"]>;

/** A secondary storage finds no entries by their user. So it has the time when all of them ended. */
const endedKeyOf = (userId: string) => `tenant-auth:trusted-devices-ended:${userId}`;

/**
 * From now on, no device of a user signs in without the second factor.
 *
 * @throws APIError `STORAGE_UNAVAILABLE`
 */
export async function endTrustedDevices(ctx: AuthContext, userId: string): Promise<void> {
	const { secondaryStorage: storage, verification } = ctx.options;
	if (storage) {
		const maxAge = trustMaxAge(ctx.getPlugin(plugin)?.options ?? {});
		await requireStorage(ctx, async () =>
			storage.set(endedKeyOf(userId), String(Date.now()), maxAge),
		);
		return;
	}
	const adapter = currentAdapter(ctx.adapter);
	await adapter.deleteMany({
		model: "verification",
		where: [
			{ field: "value", value: userId },
			// A hashed identifier does not say what it is. Then open links to a new password end too.
			...(verification?.storeIdentifier
				? []
				: [{ field: "identifier", operator: "starts_with", value: trustedDevices } as const]),
		],
	});
}

/** Whether an entry of a secondary storage is a trusted device that has ended. */
export async function isEndedDevice(
	storage: SecondaryStorage,
	identifier: string,
	{ value, createdAt }: Pick<Verification, "value" | "createdAt">,
): Promise<boolean> {
	if (!identifier.startsWith(trustedDevices)) return false;
	const ended: unknown = await storage.get(endedKeyOf(value));
	return Number(ended ?? 0) >= new Date(createdAt).getTime();
}
