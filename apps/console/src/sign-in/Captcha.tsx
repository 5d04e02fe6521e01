import { type ReactNode, useEffect, useRef, useState } from "react";
import { type CaptchaWidget, showCaptcha } from "./captcha-widget";
import { useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

type CallOptions = { headers: Record<string, string> };

/** Makes a call with the solution of a captcha. */
export type SendWithCaptcha = <Output>(
	call: (options: CallOptions) => Promise<Output>,
) => Promise<Output>;

/** For calls of a signed-in user about themselves, which need no captcha. */
export const sendWithoutCaptcha: SendWithCaptcha = (call) => call({ headers: {} });

type Captcha = {
	/** Part of the form. `null` if the service asks for no captcha. */
	field: ReactNode;
	send: SendWithCaptcha;
};

/** The captcha of a form. Without a solution, the server says what is missing. */
export function useCaptcha(): Captcha {
	const { captcha } = useTenant();
	const { captcha: texts } = useTexts();
	const [box, setBox] = useState<HTMLElement | null>(null);
	const [solution, setSolution] = useState("");
	const [hasFailed, setFailed] = useState(false);
	const widget = useRef<CaptchaWidget | null>(null);

	useEffect(() => {
		if (!captcha || !box) return;
		const shown = showCaptcha(box, captcha, {
			onSolution: (solved) => {
				setSolution(solved);
				setFailed(false);
			},
			onError: () => setFailed(true),
		});
		widget.current = shown;
		return () => {
			widget.current = null;
			setSolution("");
			shown.remove();
		};
	}, [captcha, box]);

	return {
		field: captcha && (
			<div className="captcha">
				{/* biome-ignore lint/a11y/useSemanticElements: a fieldset would have a border and a legend. */}
				<div ref={setBox} role="group" aria-label={texts.label} />
				{hasFailed && (
					<p className="field-error" role="alert">
						{texts.failed}
					</p>
				)}
			</div>
		),
		send: async (call) => {
			if (solution === "") return call({ headers: {} });
			try {
				return await call({ headers: { "x-captcha-response": solution } });
			} finally {
				// The server has used it up, also if it refused the call for another reason.
				setSolution("");
				widget.current?.reset();
			}
		},
	};
}
