import { AsyncLocalStorage } from "node:async_hooks";
import type { TestResult } from "./test-sign-in";

/** What a valid response says about a person. */
export type Asserted = NonNullable<TestResult["person"]>;

/** A sign-in that only shows what the identity provider says. It must not create anything. */
export type TestRun = {
	asserted?: Asserted;
	/** Why the person could not sign in. */
	refusal?: { code: string; message: string };
};

/** The code with which each test ends, so that no user and no session is created. */
export const TEST_ENDED = "SAML_TEST_ENDED";

const current = new AsyncLocalStorage<TestRun>();

export const runAsTest = <T>(run: TestRun, work: () => Promise<T>): Promise<T> =>
	current.run(run, work);

export const findTestRun = (): TestRun | undefined => current.getStore();
