import { useTexts } from "../sign-in/texts/texts";
import { TextField } from "../ui/fields";

type CodeFieldProps = { value: string; onValueChange: (value: string) => void };

/** The code of an authenticator app. Some apps show it with a space. */
export function CodeField(props: CodeFieldProps) {
	const { secondFactor } = useTexts();
	return (
		<TextField
			label={secondFactor.code}
			hint={secondFactor.codeHint}
			name="code"
			inputMode="numeric"
			autoComplete="one-time-code"
			pattern="[0-9 ]{6,8}"
			maxLength={8}
			required
			{...props}
		/>
	);
}
