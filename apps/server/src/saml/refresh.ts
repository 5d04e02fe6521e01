import type { AuthContext } from "better-auth";
import { type APIError, isAPIError } from "better-auth/api";
import type { ManagedTenant } from "better-auth-tenant";
import { allExpired, noMetadataUrl, notSetUp, otherEntity } from "./errors";
import { fetchIdpMetadata } from "./fetch-metadata";
import { type IdpMetadata, writeIdpMetadata } from "./idp-metadata";
import {
	type ProviderStore,
	providerStore,
	readSavedMetadata,
	type StoredProvider,
} from "./provider-store";

type Parts = { context: Pick<AuthContext, "adapter">; allowPrivate: boolean };

/**
 * Loads the metadata of a tenant's identity provider again. It may change the certificates and the sign-in
 * URL of the same identity provider. If anything else is different or wrong, what is saved stays.
 *
 * @returns whether something changed
 * @throws APIError with the reason why the saved metadata stays
 */
export async function refreshMetadata(
	tenant: ManagedTenant,
	{ context, allowPrivate }: Parts,
): Promise<boolean> {
	const store = providerStore(context);
	const stored = await tenant.read(store.find);
	if (!stored) throw notSetUp();
	const { metadataUrl } = stored;
	if (metadataUrl === null) throw noMetadataUrl();
	const saved = readSavedMetadata(stored);
	try {
		const loaded = await fetchIdpMetadata(metadataUrl, allowPrivate);
		const changes = findChanges(saved, loaded);
		const load = { checkedAt: new Date(), problem: null };
		if (!changes) {
			await tenant.read(() => store.update(stored, { load }));
			return false;
		}
		requireUsable(saved, loaded);
		const { signInUrl } = loaded;
		const update = { load, loaded: { signInUrl, metadata: writeIdpMetadata(loaded) } };
		await tenant.change(
			() => store.update(stored, update),
			() => ({ targetId: saved.entityId.slice(0, 255), detail: changes }),
		);
		return true;
	} catch (error) {
		if (isAPIError(error)) await noteProblem(tenant, store, stored, error);
		throw error;
	}
}

/** What the audit log says; `null` if both are the same. The order of certificates means nothing. */
function findChanges(saved: IdpMetadata, loaded: IdpMetadata): Record<string, unknown> | null {
	const fingerprints = ({ certificates }: IdpMetadata) => certificates.map((it) => it.fingerprint);
	const without = (some: string[], others: string[]) => some.filter((it) => !others.includes(it));
	const [before, after] = [fingerprints(saved), fingerprints(loaded)];
	const [added, removed] = [without(after, before), without(before, after)];
	const isSame = saved.entityId === loaded.entityId && saved.signInUrl === loaded.signInUrl;
	return isSame && added.length + removed.length === 0 ? null : { added, removed };
}

/** Nobody looks at what a job loads. So it must be the identity provider that an owner has chosen. */
function requireUsable(saved: IdpMetadata, loaded: IdpMetadata): void {
	if (loaded.entityId !== saved.entityId) throw otherEntity();
	if (loaded.certificates.every(({ expiresAt }) => expiresAt <= new Date())) throw allExpired();
}

/** An event for each new problem, and not for each day that it lasts. */
async function noteProblem(
	tenant: ManagedTenant,
	store: ProviderStore,
	stored: StoredProvider,
	error: InstanceType<typeof APIError>,
): Promise<void> {
	const code = String(error.body?.code);
	const known = stored.load?.problem;
	const since = known?.code === code ? known.since : new Date();
	const problem = { code, message: error.message, since };
	const note = () => store.update(stored, { load: { checkedAt: new Date(), problem } });
	if (known?.code === code) return tenant.read(note);
	const { entityId } = readSavedMetadata(stored);
	await tenant.change(note, () => ({
		targetId: entityId.slice(0, 255),
		detail: { problem: code },
	}));
}
