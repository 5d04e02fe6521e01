import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Navigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useLeave } from "../sign-in/after-sign-in";
import { signOutHere } from "../sign-in/client";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { missingFactorQuery, useSession } from "../sign-in/session-queries";
import { useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button, CopyButton } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { Form } from "../ui/fields";
import { QrCode } from "../ui/QrCode";
import { useToast } from "../ui/Toast";
import { CodeField } from "./CodeField";
import { LoadFailedPage } from "./error-pages";
import { PasswordForm } from "./PasswordForm";
import { RecoveryCodes } from "./RecoveryCodes";

type Enrollment = { totpURI: string; backupCodes: string[] };

/** Sets up an authenticator app: the password, the code to scan, the recovery codes. */
export function EnrollPage() {
	const tenant = useTenant();
	const { search } = useReturnUrl();
	const session = useSession();
	const missing = useQuery(missingFactorQuery(tenant));
	const [enrollment, setEnrollment] = useState<Enrollment | null>(null);
	const [isVerified, setVerified] = useState(false);
	if (session.isPending || missing.isLoading) return <LoadingPage />;
	if (isVerified && enrollment) return <CodesStep codes={enrollment.backupCodes} />;
	if (session.error && !session.data) {
		return <LoadFailedPage error={session.error} onRetry={session.refetch} />;
	}
	if (!session.data && !missing.data) return <Navigate to={`/sign-in${search}`} replace />;
	if (session.data?.user.twoFactorEnabled) return <Leave />;
	if (!enrollment) return <PasswordStep onEnrolled={setEnrollment} />;
	return <ScanStep totpURI={enrollment.totpURI} onVerified={() => setVerified(true)} />;
}

/** The user has a second factor already. */
function Leave() {
	const leave = useLeave();
	useEffect(leave, [leave]);
	return <LoadingPage />;
}

function PasswordStep({ onEnrolled }: { onEnrolled: (enrollment: Enrollment) => void }) {
	const { client, options } = useTenant();
	const { enroll } = useTexts();
	const { name } = options.tenant;
	return (
		<AuthPage
			title={enroll.title}
			hint={options.secondFactorRequired ? enroll.required(name) : enroll.hint}
		>
			<PasswordForm
				mutationFn={(body) =>
					callApi(client.twoFactor.enable({ method: "totp", issuer: name, ...body }))
				}
				onSuccess={(response) => {
					if ("totpURI" in response && response.totpURI && response.backupCodes) {
						onEnrolled({ totpURI: response.totpURI, backupCodes: response.backupCodes });
					}
				}}
				buttons={(isPending) => (
					<>
						<Button kind="primary" type="submit" wide busy={isPending}>
							{enroll.start}
						</Button>
						<LeaveButton />
					</>
				)}
			/>
		</AuthPage>
	);
}

function ScanStep({ totpURI, onVerified }: { totpURI: string; onVerified: () => void }) {
	const { client } = useTenant();
	const { enroll } = useTexts();
	const errorMessage = useErrorMessage();
	const [code, setCode] = useState("");
	const secret = new URL(totpURI).searchParams.get("secret") ?? "";
	const verify = useApiMutation({
		mutationFn: () => callApi(client.twoFactor.verifyTotp({ code: code.replaceAll(" ", "") })),
		onSuccess: onVerified,
	});
	return (
		<AuthPage title={enroll.title}>
			<p>{enroll.scan}</p>
			<QrCode text={totpURI} label={enroll.qrCode} />
			<div>
				<p className="muted small">{enroll.secret}</p>
				<p className="setup-key">
					<code className="break">{secret.match(/.{1,4}/g)?.join(" ")}</code>
					<CopyButton value={secret} what={enroll.key} />
				</p>
			</div>
			<p>{enroll.thenCode}</p>
			<Form onSubmit={() => verify.mutate()}>
				{verify.error && <Notice kind="danger">{errorMessage(verify.error)}</Notice>}
				<CodeField value={code} onValueChange={setCode} />
				<Button kind="primary" type="submit" wide busy={verify.isPending}>
					{enroll.submit}
				</Button>
			</Form>
		</AuthPage>
	);
}

function CodesStep({ codes }: { codes: string[] }) {
	const { enroll } = useTexts();
	const leave = useLeave();
	return (
		<AuthPage title={enroll.codesTitle}>
			<RecoveryCodes codes={codes} />
			<Button kind="primary" wide onClick={leave}>
				{enroll.saved}
			</Button>
		</AuthPage>
	);
}

/** Back to the account, or out of a tenant that requires a second factor. */
function LeaveButton() {
	const { client, options, pageUrl } = useTenant();
	const { account, ui } = useTexts();
	const toast = useToast();
	const errorMessage = useErrorMessage();
	const isRequired = options.secondFactorRequired;
	const leave = useApiMutation({
		mutationFn: async () => {
			if (isRequired) await signOutHere(client);
			window.location.assign(pageUrl(isRequired ? "sign-in" : "account"));
		},
		onError: (error) => toast(errorMessage(error), "danger"),
	});
	return (
		<Button wide busy={leave.isPending} onClick={() => leave.mutate()}>
			{isRequired ? account.signOut : ui.cancel}
		</Button>
	);
}
