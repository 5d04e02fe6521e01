import { type ReactNode, useEffect, useRef, useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button, CopyButton } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Form, PasswordField, TextField } from "../../ui/fields";
import { QrCode } from "../../ui/QrCode";
import { confirmSecondFactor, type SecondFactorSetup, setUpSecondFactor } from "../api/account";
import { RecoveryCodes } from "./RecoveryCodes";

type SecondFactorFormProps = {
	/** Empty if it has to be asked for. */
	knownPassword?: string;
	/** Says what happens when it is confirmed. */
	notice: ReactNode;
	onConfirmed: () => Promise<unknown>;
};

export function SecondFactorForm({ knownPassword = "", ...props }: SecondFactorFormProps) {
	const [password, setPassword] = useState("");
	const start = useApiMutation({ mutationFn: (typed: string) => setUpSecondFactor(typed) });
	const started = useRef(false);
	useEffect(() => {
		// Once: each call makes a new secret.
		if (knownPassword && !started.current) start.mutate(knownPassword);
		started.current = true;
	}, [knownPassword, start.mutate]);
	if (start.data) return <VerifyForm setup={start.data} {...props} />;
	return (
		<Form onSubmit={() => !start.isPending && start.mutate(password)}>
			<PasswordField
				label="Password"
				hint="Confirm your password to continue."
				value={password}
				onValueChange={setPassword}
				error={start.error?.message}
				autoComplete="current-password"
				required
			/>
			<Button kind="primary" type="submit" wide busy={start.isPending}>
				Continue
			</Button>
		</Form>
	);
}

type VerifyFormProps = Omit<SecondFactorFormProps, "knownPassword"> & { setup: SecondFactorSetup };

function VerifyForm({ setup, notice, onConfirmed }: VerifyFormProps) {
	const { totpURI, recoveryCodes } = setup;
	const [code, setCode] = useState("");
	const secret = new URL(totpURI).searchParams.get("secret") ?? "";
	const verify = useApiMutation({
		mutationFn: async () => {
			await confirmSecondFactor(setup.setup, code.trim());
			await onConfirmed();
		},
		onError: () => setCode(""),
	});
	return (
		<Form onSubmit={() => !verify.isPending && verify.mutate()}>
			<p>1. Scan this with your authenticator app, or type the key into it.</p>
			<QrCode text={totpURI} label="QR code with the key for the authenticator app" />
			<p className="with-button">
				<code className="break">{secret}</code>
				<CopyButton value={secret} what="key" />
			</p>
			<p>2. Keep these recovery codes. Each one works once, if you lose the app.</p>
			<RecoveryCodes codes={recoveryCodes} />
			<TextField
				label="3. Enter the code that the app shows"
				value={code}
				onValueChange={setCode}
				error={verify.error?.message}
				autoComplete="one-time-code"
				inputMode="numeric"
				required
			/>
			<Notice kind="info">{notice}</Notice>
			<Button kind="primary" type="submit" wide busy={verify.isPending}>
				Finish
			</Button>
		</Form>
	);
}
