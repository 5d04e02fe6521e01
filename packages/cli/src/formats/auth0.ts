import {
	type Convert,
	dateOf,
	type ExportedRecord,
	ifTrue,
	joinName,
	kindOfHash,
	leftOver,
	listOf,
	textOf,
	toUser,
} from "./converted";

/** Providers whose name is another one in Better Auth. */
const PROVIDERS: Record<string, string> = {
	"google-oauth2": "google",
	windowslive: "microsoft",
	waad: "microsoft",
};

/** Social providers with the same name in both. */
const SAME = ["apple", "facebook", "github", "linkedin", "paypal", "salesforce", "twitter"];

const TAKEN = [
	..."user_id,email,name,picture,email_verified,blocked,created_at,identities".split(","),
	// The name, in parts.
	...["given_name", "family_name", "nickname"],
	...["passwordHash", "username", "phone_number", "phone_verified"],
];

/** A user of an Auth0 export job, or of the Import / Export extension. */
export const fromAuth0: Convert = (record, { providers, findHash, supports = () => false }) => {
	const externalId = textOf(record.user_id);
	const identities = listOf(record.identities).map((identity) => {
		const provider = textOf(identity.provider) ?? "";
		const providerId =
			providers[provider] ?? PROVIDERS[provider] ?? (SAME.includes(provider) ? provider : null);
		return { provider, providerId, accountId: textOf(identity.user_id) };
	});
	const hash =
		textOf(record.passwordHash) ?? (externalId === undefined ? undefined : findHash?.(externalId));
	const kind = hash && kindOfHash(hash);
	const username = textOf(record.username);
	const phoneNumber = textOf(record.phone_number);
	return toUser(
		{
			externalId,
			email: textOf(record.email),
			name:
				textOf(record.name) ??
				joinName(record.given_name, record.family_name) ??
				textOf(record.nickname),
			image: textOf(record.picture),
			emailVerified: ifTrue(record.email_verified === true),
			disabled: ifTrue(record.blocked === true),
			createdAt: dateOf(record.created_at),
			username: supports("username") ? username : undefined,
			...(supports("phoneNumber") && phoneNumber
				? { phoneNumber, phoneNumberVerified: ifTrue(record.phone_verified === true) }
				: {}),
			password: hash && kind ? { kind, hash } : undefined,
			accounts: identities.flatMap(({ providerId, accountId }) =>
				providerId && accountId ? [{ providerId, accountId }] : [],
			),
		},
		[
			...leftOver(record, TAKEN),
			username && !supports("username") && "username",
			phoneNumber && !supports("phoneNumber") && "phone_number",
			...identities.map(
				({ provider, providerId, accountId }) =>
					!(providerId && accountId) && provider !== "auth0" && `identities: ${provider}`,
			),
			hash && !kind && "passwordHash: unknown form",
		],
	);
};

/** The id and hash in a line of Auth0's export of password hashes. */
export function readAuth0Hash(record: ExportedRecord): { externalId: string; hash: string } | null {
	const { $oid }: ExportedRecord = Object(record._id);
	const id = textOf(record.alt_id) ?? textOf($oid) ?? textOf(record._id);
	const hash = textOf(record.passwordHash);
	return id && hash ? { externalId: `auth0|${id}`, hash } : null;
}
