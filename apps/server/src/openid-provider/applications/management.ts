import type * as z from "zod";
import {
	type Application,
	type ApplicationSettings,
	type applicationTypes,
	hasOfflineAccess,
	type settingsSchema,
	toApplication,
} from "./application";
import type { Owner } from "./owner";
import { requireSecretOf, requireUsable, scopesOf } from "./rules";

type NewApplication = Pick<ApplicationSettings, "name"> &
	Partial<ApplicationSettings> & { type: (typeof applicationTypes)[number] };

type Changes = Partial<z.output<typeof settingsSchema>> & { disabled?: boolean | undefined };

type WithSecret = Application & { clientSecret: string | null };

/**
 * A first-party application gets tokens of every user who opens a link to it, owners too, without asking
 * them. So only an owner makes or changes one.
 */
function requireRightToSkipConsent(owner: Owner, ...states: { firstParty: boolean }[]): void {
	if (!states.some(({ firstParty }) => firstParty)) return;
	owner.requireRank("Only an owner can make or change a first-party application");
}

/** What the endpoints do, for the applications of a tenant and for service-wide ones. */
export function applicationManagement(apiScopes: readonly string[]) {
	const rulesFor = ({ tenantId }: Owner) => ({ apiScopes, isServiceWide: tenantId === null });

	return {
		async create(owner: Owner, { type, ...given }: NewApplication): Promise<WithSecret> {
			const settings: ApplicationSettings = {
				logoUrl: null,
				redirectUris: [],
				postLogoutRedirectUris: [],
				allowedOrigins: [],
				scopes: scopesOf(type, apiScopes),
				firstParty: false,
				requirePkce: true,
				offlineAccess: hasOfflineAccess(type),
				refreshDays: null,
				claimsInIdToken: true,
				claims: {},
				...given,
			};
			requireUsable(type, settings, rulesFor(owner));
			requireRightToSkipConsent(owner, settings);
			const { row, secret } = await owner.change(
				() => owner.store.insert(type, settings),
				(created) => ({
					targetId: created.row.clientId,
					detail: { name: settings.name, type, firstParty: settings.firstParty },
				}),
			);
			return { ...toApplication(row, owner.tenantId), clientSecret: secret };
		},

		async list(owner: Owner): Promise<Application[]> {
			return owner.read(async () => {
				const rows = await owner.store.list();
				const own = rows.map((row) => toApplication(row, owner.tenantId));
				return [...own, ...(await owner.shared())];
			});
		},

		async get(owner: Owner, clientId: string): Promise<Application> {
			return owner.read(async () => {
				const shared = (await owner.shared()).find((one) => one.clientId === clientId);
				return shared ?? toApplication(await owner.store.require(clientId), owner.tenantId);
			});
		},

		async update(owner: Owner, clientId: string, changes: Changes): Promise<Application> {
			const row = await owner.change(
				async () => {
					const before = toApplication(await owner.store.require(clientId), owner.tenantId);
					const after = { ...before, ...changes };
					// API_SCOPES may have lost a scope since. That must not prevent, say, disabling it.
					const known = [...apiScopes, ...before.scopes];
					requireUsable(before.type, after, { ...rulesFor(owner), apiScopes: known });
					requireRightToSkipConsent(owner, before, after);
					return owner.store.update(clientId, before.type, after);
				},
				() => ({ targetId: clientId, detail: { fields: Object.keys(changes).sort() } }),
			);
			return toApplication(row, owner.tenantId);
		},

		/** @param overlapHours how long the old secret works too */
		async rotateSecret(owner: Owner, clientId: string, overlapHours: number): Promise<WithSecret> {
			const { row, secret } = await owner.change(
				async () => {
					const found = await owner.store.require(clientId);
					const application = toApplication(found, owner.tenantId);
					requireSecretOf(application.type);
					requireRightToSkipConsent(owner, application);
					return owner.store.rotateSecret(found, overlapHours);
				},
				() => ({ targetId: clientId, detail: { overlapHours } }),
			);
			return { ...toApplication(row, owner.tenantId), clientSecret: secret };
		},

		async remove(owner: Owner, clientId: string): Promise<{ success: true }> {
			await owner.change(
				async () => {
					await owner.store.require(clientId);
					await owner.store.remove(clientId);
				},
				() => ({ targetId: clientId }),
			);
			return { success: true };
		},
	};
}
