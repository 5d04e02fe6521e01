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
import {
	requireReachable,
	requireSecretOf,
	requireUsable,
	type ServiceRules,
	scopesOf,
} from "./rules";

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

/** Keys replace a URI of keys, and the other way around. */
function withOneKeySource(before: Application, changes: Changes): Application {
	const after = { ...before, ...changes } as Application;
	if (changes.jwks && changes.jwksUri === undefined) after.jwksUri = null;
	if (changes.jwksUri && changes.jwks === undefined) after.jwks = null;
	return after;
}

/** What the endpoints do, for the applications of a tenant and for service-wide ones. */
export function applicationManagement({ apiScopes, allowPrivateHosts, dpop }: ServiceRules) {
	const rulesFor = ({ tenantId }: Owner) => {
		return { apiScopes, dpop, isServiceWide: tenantId === null };
	};

	return {
		async create(owner: Owner, { type, ...given }: NewApplication): Promise<WithSecret> {
			const settings: ApplicationSettings = {
				logoUrl: null,
				redirectUris: [],
				postLogoutRedirectUris: [],
				backchannelLogoutUri: null,
				backchannelLogoutSessionRequired: true,
				allowedOrigins: [],
				scopes: scopesOf(type, apiScopes),
				firstParty: false,
				requirePkce: true,
				deviceFlow: false,
				dpop: false,
				offlineAccess: hasOfflineAccess(type),
				refreshDays: null,
				accessTokenMinutes: null,
				idTokenMinutes: null,
				claimsInIdToken: true,
				claims: {},
				jwks: null,
				jwksUri: null,
				...given,
			};
			requireUsable(type, settings, rulesFor(owner));
			requireReachable(settings, allowPrivateHosts);
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
					const after = withOneKeySource(before, changes);
					// The settings may have become narrower since. That must not prevent, say, disabling it.
					const known = {
						apiScopes: [...apiScopes, ...before.scopes],
						dpop: dpop || before.dpop,
					};
					requireUsable(before.type, after, { ...rulesFor(owner), ...known });
					// Only what is new: the setting may have changed since.
					requireReachable(changes, allowPrivateHosts);
					requireRightToSkipConsent(owner, before, after);
					return owner.store.update(clientId, before.type, after);
				},
				({ name }) => ({
					targetId: clientId,
					detail: { name, fields: Object.keys(changes).sort() },
				}),
			);
			return toApplication(row, owner.tenantId);
		},

		/** @param overlapHours how long the old secret works too */
		async rotateSecret(owner: Owner, clientId: string, overlapHours: number): Promise<WithSecret> {
			const { row, secret } = await owner.change(
				async () => {
					const found = await owner.store.require(clientId);
					const application = toApplication(found, owner.tenantId);
					requireSecretOf(application);
					requireRightToSkipConsent(owner, application);
					return owner.store.rotateSecret(found, overlapHours);
				},
				({ row: { name } }) => ({ targetId: clientId, detail: { name, overlapHours } }),
			);
			return { ...toApplication(row, owner.tenantId), clientSecret: secret };
		},

		async remove(owner: Owner, clientId: string): Promise<{ success: true }> {
			await owner.change(
				async () => {
					const { name } = await owner.store.require(clientId);
					await owner.store.remove(clientId);
					return name;
				},
				(name) => ({ targetId: clientId, detail: { name } }),
			);
			return { success: true };
		},
	};
}
