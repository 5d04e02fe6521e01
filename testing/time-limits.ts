/**
 * How long a test, a hook or a wait may take, in milliseconds. It ends what hangs. It does not measure
 * speed: a test may be slow on a slow or busy machine.
 */
export const HANG = 10 * 60_000;

/** For `vi.waitFor` and `vi.waitUntil`, which give up after a second by default. */
export const untilHang = { timeout: HANG, interval: 20 };
