import {
	type Convert,
	dateOf,
	type ExportedRecord,
	ifTrue,
	leftOver,
	listOf,
	textOf,
	toUser,
} from "./converted";

const TAKEN =
	"localId,email,emailVerified,displayName,photoUrl,disabled,createdAt,passwordHash,salt,providerUserInfo,phoneNumber".split(
		",",
	);

/** A user of `firebase auth:export`. */
export const fromFirebase: Convert = (record, { providers, supports = () => false }) => {
	const accounts = listOf(record.providerUserInfo).map(({ providerId, rawId }) => {
		const provider = textOf(providerId) ?? "";
		return {
			providerId: providers[provider] ?? provider.replace(/\.com$/, ""),
			accountId: textOf(rawId),
		};
	});
	const hash = textOf(record.passwordHash);
	const phoneNumber = textOf(record.phoneNumber);
	return toUser(
		{
			externalId: textOf(record.localId),
			email: textOf(record.email),
			name: textOf(record.displayName),
			image: textOf(record.photoUrl),
			emailVerified: ifTrue(isTrue(record.emailVerified)),
			disabled: ifTrue(isTrue(record.disabled)),
			createdAt: dateOf(record.createdAt),
			// Firebase verifies every number by a message.
			...(supports("phoneNumber") && phoneNumber ? { phoneNumber, phoneNumberVerified: true } : {}),
			password:
				hash === undefined
					? undefined
					: { kind: "firebase-scrypt", hash: `${textOf(record.salt) ?? ""}$${hash}` },
			accounts: accounts.flatMap(({ providerId, accountId }) =>
				providerId && accountId ? [{ providerId, accountId }] : [],
			),
		},
		[
			...leftOver(record, TAKEN),
			phoneNumber && !supports("phoneNumber") && "phoneNumber",
			accounts.some(({ accountId }) => !accountId) && "providerUserInfo: no id",
		],
	);
};

/** A CSV file has texts only. */
const isTrue = (value: unknown) => value === true || value === "true";

/** The providers of the CSV file, each with four columns: id, email, name, picture. */
const CSV_PROVIDERS = ["google.com", "facebook.com", "twitter.com", "github.com"];
const FIRST_PROVIDER = 7;
const COLUMNS_OF_PROVIDER = 4;

/** How many columns a row of the CSV file has at least: all up to the phone number. */
export const FIREBASE_CSV_COLUMNS = 26;

/** Names the columns of Firebase's CSV file, which has no header. */
export function readFirebaseRow(cells: readonly string[]): ExportedRecord {
	const [localId, email, emailVerified, passwordHash, salt, displayName, photoUrl] = cells;
	const [createdAt, lastSignedInAt, phoneNumber, disabled, customAttributes] = cells.slice(23);
	const providerUserInfo = CSV_PROVIDERS.flatMap((providerId, index) => {
		const rawId = cells[FIRST_PROVIDER + index * COLUMNS_OF_PROVIDER];
		return rawId ? [{ providerId, rawId }] : [];
	});
	return {
		...{ localId, email, emailVerified, passwordHash, salt, displayName, photoUrl },
		...{ createdAt, lastSignedInAt, phoneNumber, disabled, customAttributes, providerUserInfo },
	};
}
