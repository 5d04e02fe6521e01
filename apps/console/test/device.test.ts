import { expect, test } from "vitest";
import { describeDevice } from "../src/device";

test.each([
	[
		"Firefox on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0",
	],
	[
		"Safari on iPhone",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
	],
	[
		"Edge on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
	],
	[
		"Chrome on Android",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
	],
	["curl", "curl/8.5.0"],
	["Node.js", "node"],
	["Unknown device", null],
])("%s", (device, userAgent) => {
	expect(describeDevice(userAgent)).toBe(device);
});
