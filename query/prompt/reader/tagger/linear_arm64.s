//go:build !purego

#include "textflag.h"

// The assembler lacks three instructions: SXTL and SXTL2 turn bytes into half words, and half words into words; SCVTF
// turns words into numbers.
#define SXTL_B(n, d) WORD $(0x0F08A400 | n<<5 | d)
#define SXTL2_B(n, d) WORD $(0x4F08A400 | n<<5 | d)
#define SXTL_H(n, d) WORD $(0x0F10A400 | n<<5 | d)
#define SXTL2_H(n, d) WORD $(0x4F10A400 | n<<5 | d)
#define SCVTF(d) WORD $(0x4E21D800 | d<<5 | d)

// func multiplyBlock(sums, rows *float32, in int, panel *byte)
//
// V16 to V31 hold the sums, four registers a row. Each step turns the 16 bytes of one input into numbers, and
// multiplies them with that input of each row.
TEXT ·multiplyBlock(SB), NOSPLIT, $0-32
	MOVD sums+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD in+16(FP), R5
	MOVD panel+24(FP), R6
	LSL  $2, R5, R7
	ADD  R7, R1, R2
	ADD  R7, R2, R3
	ADD  R7, R3, R4
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16
	VEOR V28.B16, V28.B16, V28.B16
	VEOR V29.B16, V29.B16, V29.B16
	VEOR V30.B16, V30.B16, V30.B16
	VEOR V31.B16, V31.B16, V31.B16

next:
	VLD1.P 16(R6), [V8.B16]
	SXTL_B(8, 9)
	SXTL2_B(8, 10)
	SXTL_H(9, 11)
	SXTL2_H(9, 12)
	SXTL_H(10, 13)
	SXTL2_H(10, 14)
	SCVTF(11)
	SCVTF(12)
	SCVTF(13)
	SCVTF(14)
	VLD1R.P 4(R1), [V15.S4]
	VFMLA V15.S4, V11.S4, V16.S4
	VFMLA V15.S4, V12.S4, V17.S4
	VFMLA V15.S4, V13.S4, V18.S4
	VFMLA V15.S4, V14.S4, V19.S4
	VLD1R.P 4(R2), [V15.S4]
	VFMLA V15.S4, V11.S4, V20.S4
	VFMLA V15.S4, V12.S4, V21.S4
	VFMLA V15.S4, V13.S4, V22.S4
	VFMLA V15.S4, V14.S4, V23.S4
	VLD1R.P 4(R3), [V15.S4]
	VFMLA V15.S4, V11.S4, V24.S4
	VFMLA V15.S4, V12.S4, V25.S4
	VFMLA V15.S4, V13.S4, V26.S4
	VFMLA V15.S4, V14.S4, V27.S4
	VLD1R.P 4(R4), [V15.S4]
	VFMLA V15.S4, V11.S4, V28.S4
	VFMLA V15.S4, V12.S4, V29.S4
	VFMLA V15.S4, V13.S4, V30.S4
	VFMLA V15.S4, V14.S4, V31.S4
	SUBS $1, R5, R5
	BNE  next

	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R0)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R0)
	VST1.P [V24.S4, V25.S4, V26.S4, V27.S4], 64(R0)
	VST1.P [V28.S4, V29.S4, V30.S4, V31.S4], 64(R0)
	RET
