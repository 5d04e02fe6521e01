import {
	asRecord,
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

const TAKEN =
	"id,username,email,emailVerified,firstName,lastName,enabled,createdTimestamp,credentials,federatedIdentities,disableableCredentialTypes,access,totp".split(
		",",
	);

/** A user of a Keycloak realm export. */
export const fromKeycloak: Convert = (record, { providers, supports = () => false }) => {
	const externalId = textOf(record.id);
	if (textOf(record.serviceAccountClientId)) {
		const message = "This is the service account of a client";
		return { code: "NOT_A_PERSON", message, externalId: externalId ?? null };
	}
	const credentials = listOf(record.credentials);
	const identities = listOf(record.federatedIdentities);
	const stored = credentials.find(({ type }) => type === "password");
	const password = stored && readPassword(stored);
	const username = textOf(record.username);
	const email = textOf(record.email);
	const isOwnName = username !== undefined && username.toLowerCase() !== email?.toLowerCase();
	const code = supports("totpSecret")
		? credentials.find((it) => readTotpSecret(it) !== undefined)
		: undefined;
	return toUser(
		{
			externalId,
			email,
			username: isOwnName && supports("username") ? username : undefined,
			totpSecret: code && readTotpSecret(code),
			name: joinName(record.firstName, record.lastName) ?? username,
			emailVerified: ifTrue(record.emailVerified === true),
			disabled: ifTrue(record.enabled === false),
			createdAt: dateOf(record.createdTimestamp),
			password,
			accounts: identities.flatMap(({ identityProvider, userId }) => {
				const alias = textOf(identityProvider);
				const accountId = textOf(userId);
				if (!alias || !accountId) return [];
				return [{ providerId: providers[alias] ?? alias, accountId }];
			}),
		},
		[
			...leftOver(record, TAKEN),
			isOwnName && !supports("username") && "username",
			identities.some(({ userId }) => !textOf(userId)) && "federatedIdentities: no id",
			...credentials
				.filter((it) => it.type !== "password" && it !== code)
				.map(({ type }) => `credentials: ${textOf(type)}`),
			stored && !password && "credentials: password in an unknown form",
		],
	);
};

const DIGESTS: Record<string, string> = {
	pbkdf2: "sha1",
	"pbkdf2-sha256": "sha256",
	"pbkdf2-sha512": "sha512",
};

function parseRecord(json: unknown): ExportedRecord {
	try {
		return asRecord(JSON.parse(String(json)));
	} catch {
		return {};
	}
}

/** Both halves of a credential are JSON inside of JSON. */
function readPassword(credential: ExportedRecord): { kind: string; hash: string } | undefined {
	const data = parseRecord(credential.credentialData);
	const secret = parseRecord(credential.secretData);
	const algorithm = textOf(data.algorithm) ?? "";
	const value = textOf(secret.value);
	const salt = textOf(secret.salt) ?? "";
	const iterations = textOf(data.hashIterations);
	if (!value) return undefined;
	const digest = Object.hasOwn(DIGESTS, algorithm) ? DIGESTS[algorithm] : undefined;
	if (digest && iterations) {
		return { kind: "keycloak-pbkdf2", hash: [digest, iterations, salt, value].join("$") };
	}
	if (algorithm === "argon2" && iterations) {
		return {
			kind: "argon2",
			hash: toPhcString(asRecord(data.additionalParameters), { iterations, salt, value }),
		};
	}
	const kind = kindOfHash(value);
	return kind && { kind, hash: value };
}

/** Keycloak keeps the key as a text. Codes of other kinds would not match. */
function readTotpSecret(credential: ExportedRecord): string | undefined {
	const data = parseRecord(credential.credentialData);
	const value = textOf(parseRecord(credential.secretData).value);
	const { subType, digits = 6, period = 30, algorithm = "HmacSHA1", secretEncoding } = data;
	const isUsual = digits === 6 && period === 30 && algorithm === "HmacSHA1" && !secretEncoding;
	if (credential.type !== "otp" || subType !== "totp" || !isUsual || !value) return undefined;
	return toBase32(value);
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function toBase32(text: string): string {
	const bits = [...new TextEncoder().encode(text)].map((it) => it.toString(2).padStart(8, "0"));
	const parts = bits.join("").match(/.{1,5}/g) ?? [];
	return parts.map((part) => BASE32[Number.parseInt(part.padEnd(5, "0"), 2)]).join("");
}

/** The usual form of Argon2 hashes, which every library reads. */
function toPhcString(
	parameters: ExportedRecord,
	{ iterations, salt, value }: { iterations: string; salt: string; value: string },
): string {
	const read = (name: string, byDefault: string) => {
		const [first] = [parameters[name]].flat();
		return textOf(first) ?? byDefault;
	};
	const version = read("version", "1.3") === "1.0" ? 16 : 19;
	const cost = `m=${read("memory", "7168")},t=${iterations},p=${read("parallelism", "1")}`;
	const [bareSalt, bareValue] = [salt, value].map((text) => text.replace(/=+$/, ""));
	return `$argon2${read("type", "id")}$v=${version}$${cost}$${bareSalt}$${bareValue}`;
}
