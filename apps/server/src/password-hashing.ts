import { hashPassword, verifyPassword } from "better-auth/crypto";

/**
 * Better Auth's own hashing, a few at a time.
 *
 * Node computes hashes on a pool of threads (`UV_THREADPOOL_SIZE`, four), and the signatures of
 * session cookies on the same ones. A hash takes a tenth of a second: when as many are under way as
 * there are threads, every request with a cookie waits behind them. So one thread is left free.
 */
export function passwordHashing(threads = poolSize()) {
	const inTurn = atMost(Math.max(1, threads - 1));
	return {
		hash: (password: string) => inTurn(() => hashPassword(password)),
		verify: (data: { hash: string; password: string }) => inTurn(() => verifyPassword(data)),
	};
}

function poolSize(): number {
	return Number(process.env.UV_THREADPOOL_SIZE) || 4;
}

/** Runs tasks in order of arrival, no more than `limit` of them at once. */
function atMost(limit: number) {
	const waiting: (() => void)[] = [];
	let running = 0;
	return async <T>(task: () => Promise<T>): Promise<T> => {
		if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
		else running += 1;
		try {
			return await task();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running -= 1;
		}
	};
}
