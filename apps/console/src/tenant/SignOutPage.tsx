import { Link, Navigate, useLocation } from "react-router";
import { ApiError, hasCode, parseJson } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useSession } from "../sign-in/session-queries";
import { useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { LoadFailedPage } from "./error-pages";
import { useSignOut } from "./use-sign-out";

/** The server says with it that an app has asked for the sign-out. */
const FROM_APP = "from=app";

export function SignOutPage() {
	const { search } = useLocation();
	return search.slice(1) === FROM_APP ? <AskedByApp /> : <OwnSignOut />;
}

/** Somebody has opened the page by themselves, from a bookmark or a link. */
function OwnSignOut() {
	const { data, error, isPending, refetch } = useSession();
	const { signOut: texts } = useTexts();
	const signOut = useSignOut();
	if (isPending) return <LoadingPage />;
	if (error) return <LoadFailedPage error={error} onRetry={refetch} />;
	if (!data) return <Navigate to="/sign-in" replace />;
	return (
		<Question text={texts.own} isBusy={signOut.isPending} onConfirm={() => signOut.mutate()} />
	);
}

/** An app asks for a sign-out, and cannot prove who is signed in. So the user is asked. */
function AskedByApp() {
	const { pageUrl } = useTenant();
	const { signOut } = useTexts();
	const errorMessage = useErrorMessage();
	// Not an endpoint of the client: the server knows the request by a cookie of this path.
	const confirm = useApiMutation({
		mutationFn: async () => {
			const response = await fetch(pageUrl("oauth2/end-session/confirm"), {
				method: "POST",
				body: new URLSearchParams({ action: "confirm" }),
			});
			const body = parseJson(await response.text()) as { url?: string; code?: string } | null;
			if (!response.ok || !body?.url) throw new ApiError(response.status, body?.code ?? "", "");
			window.location.assign(body.url);
		},
	});
	const isExpired = hasCode(confirm.error, "SIGN_OUT_EXPIRED");
	const problem = confirm.error && (isExpired ? signOut.expired : errorMessage(confirm.error));
	return (
		<Question
			text={signOut.text}
			problem={problem}
			isBusy={confirm.isPending || confirm.isSuccess}
			onConfirm={() => confirm.mutate()}
		/>
	);
}

type QuestionProps = {
	text: string;
	problem?: string | null;
	isBusy: boolean;
	onConfirm: () => void;
};

function Question({ text, problem, isBusy, onConfirm }: QuestionProps) {
	const { options } = useTenant();
	const { signOut } = useTexts();
	return (
		<AuthPage title={signOut.title}>
			{problem && <Notice kind="danger">{problem}</Notice>}
			<p>
				<Filled text={text}>
					<strong className="break">{options.tenant.name}</strong>
				</Filled>
			</p>
			<div className="stack stack-tight">
				<Button kind="primary" wide busy={isBusy} onClick={onConfirm}>
					{signOut.submit}
				</Button>
				<Link className="button button-wide" to="/account">
					{signOut.stay}
				</Link>
			</div>
		</AuthPage>
	);
}
