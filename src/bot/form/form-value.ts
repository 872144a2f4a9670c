/** An entry of a select menu: the value it submits and the label it shows. */
export type Choice = { value: string; label: string }

/** What a form input contains: text, several values, or a choice together with its label. */
export type FormValue = string | string[] | Choice | undefined
export type FormValues = Record<string, FormValue>
