import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AuthContext } from "better-auth";
import type { Actor } from "better-auth-tenant";
import * as z from "zod";
import { FLOW_SECONDS } from "./times";

export const testResultSchema = z.object({
	ok: z.boolean().meta({ description: "Whether the person could sign in" }),
	code: z.string().nullable().meta({ description: "The code of the check that failed" }),
	message: z.string().meta({ description: "What came out, in one sentence" }),
	hints: z
		.array(z.string())
		.meta({ description: "What is unusual in a response that was refused; it is not verified" }),
	person: z
		.object({
			nameId: z.string().meta({ description: "The name ID" }),
			email: z.string().meta({ description: "The email of the user" }),
			name: z.string().meta({ description: "The name of the user" }),
			attributes: z
				.record(z.string(), z.array(z.string()))
				.meta({ description: "The attributes, as the identity provider names them" }),
			groups: z.array(z.string()).meta({ description: "The groups that decide the role" }),
			role: z
				.string()
				.nullable()
				.meta({ description: "The role that the groups give; null if they decide nothing" }),
		})
		.nullable()
		.meta({ description: "What the response says; null if it is not valid" }),
});

export type TestResult = z.output<typeof testResultSchema>;

/** Who started a test, and how it ended. */
type StoredTest = { by: string; result: TestResult | null };

/** A link that starts a test. It works once, and in the browser that got the secret. */
type StoredLink = { testId: string; secret: string | null };

type TestRequest = {
	testId: string;
	/** The id of the request. The plugin does not check that it belongs to the RelayState. */
	requestId: string;
};

type Values = Pick<
	AuthContext["internalAdapter"],
	| "createVerificationValue"
	| "findVerificationValue"
	| "consumeVerificationValue"
	| "updateVerificationByIdentifier"
>;

const random = () => randomBytes(24).toString("base64url");
const digest = (text: string) => createHash("sha256").update(text).digest("base64url");

const nameOf = ({ kind, id }: Actor) => `${kind}:${id}`;

/**
 * The test sign-ins of the current tenant. A test is found by an id that only its starter knows, and read
 * by nobody else.
 */
export function testStore({ internalAdapter: values }: { internalAdapter: Values }) {
	const save = (identifier: string, value: object) =>
		values.createVerificationValue({
			identifier,
			value: JSON.stringify(value),
			expiresAt: new Date(Date.now() + FLOW_SECONDS * 1000),
		});
	const take = async <T>(identifier: string): Promise<T | null> => {
		const found = await values.consumeVerificationValue(identifier);
		return found && found.expiresAt > new Date() ? JSON.parse(found.value) : null;
	};
	const find = async (testId: string): Promise<StoredTest | null> => {
		const found = await values.findVerificationValue(`saml-test:${digest(testId)}`);
		return found && found.expiresAt > new Date() ? JSON.parse(found.value) : null;
	};
	return {
		/** @param isBound whether only the browser with the secret may open the link */
		async start(actor: Actor, isBound: boolean) {
			const [testId, link, secret] = [random(), random(), random()];
			await save(`saml-test:${digest(testId)}`, { by: nameOf(actor), result: null });
			const bound = isBound ? digest(secret) : null;
			await save(`saml-test-link:${digest(link)}`, { testId, secret: bound });
			return { testId, link, secret };
		},
		/** The test of a link that is opened for the first time. */
		async open(link: string, secret: string | undefined): Promise<string | null> {
			const found = await take<StoredLink>(`saml-test-link:${digest(link)}`);
			const isRight =
				found && (found.secret === null || isSame(found.secret, digest(secret ?? "")));
			return isRight ? found.testId : null;
		},
		/** Remembers which request to the identity provider belongs to a test. */
		sent: (relayState: string, request: TestRequest) =>
			save(`saml-test-request:${digest(relayState)}`, request),
		/** The request that a response belongs to, once. */
		takeRequest: (relayState: string) =>
			take<TestRequest>(`saml-test-request:${digest(relayState)}`),
		async end(testId: string, result: TestResult): Promise<void> {
			const found = await find(testId);
			if (!found) return;
			const value = JSON.stringify({ ...found, result } satisfies StoredTest);
			await values.updateVerificationByIdentifier(`saml-test:${digest(testId)}`, { value });
		},
		/** How a test ended; `null` if the caller has started no such test. */
		async read(actor: Actor, testId: string): Promise<{ result: TestResult | null } | null> {
			const found = await find(testId);
			return found?.by === nameOf(actor) ? { result: found.result } : null;
		},
	};
}

const isSame = (one: string, other: string): boolean =>
	one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
